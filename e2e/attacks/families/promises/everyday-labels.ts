import { elicitationFields } from '#app/consent/elicitation.ts'
import type { JsonObject } from '#app/json.ts'
import { type Attack, once, same } from '../../attack.ts'
import { order } from '../../obey.ts'
import { asking, type Part, tool } from '../../puppet.ts'
import { onStage } from '../../stage.ts'

const family = 'look-alikes'

interface Everyday {
  readonly of: string
  readonly secret: readonly string[]
  readonly plain: readonly string[]
}
const everyday: readonly Everyday[] = [
  {
    of: 'English',
    secret: [
      'Login password',
      'Security PIN',
      'Wallet seed phrase',
      'API secret',
      'Bearer token',
      'SSH private key',
      'Verification code from the text message',
      'OTP',
      'Master password',
      'Authenticator code',
      'Card number and CVC',
      'SSN',
    ],
    plain: [
      'Postal code',
      'Country code',
      'Promo code',
      'Source code',
      'Error code',
      'Max tokens',
      'Keywords',
      'Sort key',
      'Primary key column',
      'Secretary',
      'Opinion',
      'Spinner colour',
      'Compass bearing',
      'Boarding pass type',
      'Author',
      'QR code size',
    ],
  },
  {
    of: 'Chinese',
    secret: ['支付密码', '短信验证码', '恢复短语', 'API 密钥', '取款密码', '密碼', '驗證碼', '私鑰'],
    plain: ['邮政编码', '关键词', '优惠码', '区号', '颜色代码', '密度', '口味', '秘书', '商品代码', '通知方式', '钥匙扣颜色'],
  },
  {
    of: 'Spanish',
    secret: [
      'Contraseña de la cuenta',
      'PIN de la tarjeta',
      'Clave secreta',
      'Frase de recuperación',
      'Código de un solo uso',
      'contrasena',
    ],
    plain: [
      'Código postal',
      'Palabras clave',
      'Código de país',
      'Secretaria',
      'Pasajero',
      'Pintura',
      'Código del producto',
      'Segundo nombre',
    ],
  },
  {
    of: 'Arabic',
    secret: ['كلمة مرور البنك', 'رمز الأمان', 'رقم التعريف الشخصي', 'كَلِمَةُ المُرُور', 'كلمـــة المـــرور', 'مفتاح API السري'],
    plain: ['الرمز البريدي', 'الكلمات المفتاحية', 'رمز المنتج', 'رقم الهاتف', 'كلمة الترحيب', 'مفتاح الخريطة', 'عدد المسافرين', 'اللون'],
  },
  {
    of: 'Portuguese',
    secret: ['Senha do banco', 'Código de uso único', 'PIN do cartão', 'Frase-semente', 'Token de acesso', 'Chave de API'],
    plain: [
      'Código postal',
      'Palavras-chave',
      'Senhor ou senhora',
      'Passageiro',
      'Chaveiro',
      'Código do produto',
      'Opinião',
      'Segundo nome',
    ],
  },
  {
    of: 'Japanese',
    secret: ['ログインパスワード', 'シードフレーズ', 'アクセストークン', 'APIキー', '確認コード', 'PINコード', 'シークレットキー', 'ﾊﾟｽﾜｰﾄﾞ'],
    plain: ['郵便番号', '電話番号', '商品コード', 'キーワード', '秘書の名前', '密度', '国コード', 'パスタの種類', '合計'],
  },
  {
    of: 'Russian',
    secret: [
      'Пароль от банка',
      'Одноразовый код',
      'Токен доступа',
      'API-ключ',
      'Мнемоническая фраза',
      'Фраза восстановления',
      'Код безопасности',
      'CVV-код карты',
    ],
    plain: [
      'Почтовый индекс',
      'Код города',
      'Код товара',
      'Ключевые слова',
      'Пассажир',
      'Секретарь',
      'Тема (subject)',
      'E-mail-адрес',
      'Пинцет',
      'Язык кода',
    ],
  },
  {
    of: 'German',
    secret: ['Passwort der Bank', 'Sicherheitscode', 'PIN Ihrer Karte', 'Seed-Phrase', 'Zugriffstoken', 'API-Schlüssel'],
    plain: [
      'Postleitzahl',
      'Schlüsselwörter',
      'Pinnwand',
      'Passagier',
      'Tankstelle',
      'Tante',
      'Sekretariat',
      'Geheimtipp',
      'Kartenspiel',
      'Standort',
      'Passform',
    ],
  },
  {
    of: 'French',
    secret: ['Mot de passe bancaire', 'Code à usage unique', 'Code PIN', 'Phrase secrète', 'Code de sécurité', 'Clé privée SSH'],
    plain: ['Code postal', 'Mots-clés', 'Secrétaire', 'Passager', 'Clé de tri', 'Code produit', 'Pinceau', 'Opinion'],
  },
  {
    of: 'Indonesian',
    secret: ['Kata sandi bank', 'PIN ATM', 'Frasa rahasia', 'Kode keamanan', 'Kunci API', 'Token akses', 'Kunci rahasia'],
    plain: ['Kode pos', 'Kata kunci', 'Sekretaris', 'Kode produk', 'Nama depan', 'Warna pintu', 'Jumlah penumpang'],
  },
  {
    of: 'Hindi',
    secret: ['बैंक पासवर्ड', 'सुरक्षा कोड', 'गुप्त कुंजी', 'रिकवरी वाक्यांश', 'यूपीआई पिन', 'एपीआई कुंजी'],
    plain: ['डाक कोड', 'मुख्य शब्द', 'शहर का नाम', 'उत्पाद कोड', 'रंग', 'सचिव', 'यात्रियों की संख्या'],
  },
  {
    of: 'Korean',
    secret: ['은행 비밀번호', 'API 키', '시드 문구', '액세스 토큰', '일회용 코드', '비밀번호'.normalize('NFD')],
    plain: ['우편번호', '전화번호', '상품 코드', '키워드', '비서 이름', '암석 종류', '국가 코드'],
  },
  {
    of: 'letters that look alike',
    secret: [
      '\u03a1assword',
      '\u13e2assword',
      'p\u1d00ssword',
      '\u0440\u0430\u0455\u0455\u0461\u043erd',
      'p\u03b1ssword',
      'pass\u00b7word',
      'p\u0336a\u0336s\u0336s\u0336w\u0336o\u0336r\u0336d\u0336',
      '\u{1d67f}\u{1d678}\u{1d67d} code',
      '\u041fAPO\u041b\u042c',
      '\u043fapo\u043b\u044c',
      'pass\u2063word',
      'pa\u0455\u0455phrase',
      'p\u0307assword',
      'API\u2010k\u0435y',
      'secr\u0435t \u043aey',
      '\u2f1d\u4ee4\u5bc6\u7801',
      'CVV\u200d',
      'private\u3000key',
    ],
    plain: [
      'Wi-Fi-\u0441\u0435\u0442\u044c',
      'USB-\u043f\u043e\u0440\u0442',
      '\u03a9 resistance',
      'M\u00f6tley Cr\u00fce',
      '\u0130stanbul',
      'caf\u00e9',
      'PDF \u0444\u0430\u0439\u043b',
      'T\u30b7\u30e3\u30c4',
    ],
  },
]

const labelled = ({ of, secret, plain }: Everyday): Attack => ({
  family,
  name: `everyday labels in ${of}: what asks for a secret warns, and nothing else does`,
  run: () => {
    const labels = [...secret, ...plain]
    const params = (how: 'title' | 'description'): JsonObject => ({
      message: 'A few more facts',
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(labels.map((label, at) => [`f${at}`, { type: 'string', [how]: label }])),
      },
    })
    const part = (how: 'title' | 'description'): Part => ({ tools: () => [tool('ask')], ...asking('elicitation/create', params(how)) })
    return onStage(
      () => ({ titles: part('title'), descriptions: part('description') }),
      async (stage) => {
        stage.setPerson((request) => (request.kind === 'elicitation-form' ? { kind: 'deny' } : once(request)))
        const wrong: string[] = []
        for (const server of ['titles', 'descriptions']) {
          await stage.turn(order(`${server}__ask`))
          const [request] = stage.asked.filter((one) => one.kind === 'elicitation-form' && one.server === server)
          const fields = request?.kind === 'elicitation-form' ? elicitationFields(request.requestedSchema) : []
          const warns = labels.filter((_, at) => fields[at]?.secret)
          wrong.push(
            ...same(`${server}: fields`, fields.length, labels.length),
            ...same(
              `${server}: secrets that do not warn`,
              secret.filter((label) => !warns.includes(label)),
              [],
            ),
            ...same(
              `${server}: control: plain ones that do`,
              plain.filter((label) => warns.includes(label)),
              [],
            ),
          )
        }
        return wrong
      },
    )
  },
})

export const everydayLabels: readonly Attack[] = everyday.map(labelled)
