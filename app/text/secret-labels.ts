// Whether a label, a description or a message asks for a secret, in the ten languages with the most speakers on the net (English, Chinese,
// Spanish, Arabic, Portuguese, Indonesian, French, Japanese, Russian, German), and Hindi and Korean. Look-alike letters do not hide one.
import { foldLetters } from './look-alike.ts'
import { looksSecret } from './secret-names.ts'

/** Words and phrases that count wherever they stand, by language. */
const phrases: Readonly<Record<string, string>> = {
  english: `
    password | passphrase | api secret | secret phrase | wallet seed | pass phrase | passcode | pass code | passwd | seed phrase | recovery phrase | seed words | mnemonic |
    recovery code | recovery key | backup code | verification code | security code | login code | sign-in code | one-time code |
    authenticator | two-factor | 2fa code | mfa code | sms code | api key | api token | access key | access token | private key |
    secret key | signing key | master key | ssh key | bearer token | auth token | session token | session cookie | client secret |
    card number | credit card | debit card | social security | bank account | account number | passport number | security answer |
    credentials | mothers maiden name | maiden name | wallet key | keystore file | pin code | pin number |
    security question | security number | back of your card | back of the card | unlock pattern | unlock code | service account json | service account key |
    bank card | digits on your card | digits on the front | digits on the back | magic link | words of your wallet | words of the wallet | wallet words | secret words | id rsa | id ecdsa | ssh id | login details`,
  chinese: `
    恢复短语 | 恢復短語 | 密码 | 密碼 | 口令 | 密钥 | 密鑰 | 私钥 | 私鑰 | 助记词 | 助記詞 | 令牌 | 验证码 | 驗證碼 | 校验码 | 卡号 | 卡號 | 身份证 | 身分證 | 安全码 | 凭证 | 凭据 |
    安全问题 | 安全問題 | 密保 | 银行卡 | 銀行卡 | 信用卡`,
  spanish: `
    contraseña | clave de acceso | clave secreta | clave privada | clave de api | clave api | frase semilla | frase de recuperación |
    código de verificación | código de seguridad | código de un solo uso | código sms | número de tarjeta | tarjeta de crédito | palabra secreta | token de acceso |
    credenciales | datos de acceso | pregunta de seguridad | tarjeta bancaria | tarjeta de débito`,
  arabic: `
    كلمة المرور | كلمة مرور | كلمة السر | الرقم السري | الرمز السري | رمز التحقق | رمز الأمان | المفتاح الخاص | مفتاح خاص | مفتاح api |
    رمز الوصول | رقم التعريف الشخصي | رمز التفعيل | رمز الدخول | رقم البطاقة | بطاقة الائتمان | عبارة الاسترداد | العبارة السرية | عبارة المرور | مفتاح سري | البطاقة البنكية | بطاقة الخصم |
    سؤال الأمان | بيانات الدخول`,
  portuguese: `
    senha | palavra-passe | chave privada | chave secreta | chave de api | chave de acesso | frase-semente | frase semente |
    frase de recuperação | código de verificação | código de segurança | código de uso único | número do cartão | cartão de crédito | token de acesso |
    credenciais | dados de acesso | pergunta de segurança | cartão bancário | cartão de débito`,
  indonesian: `
    kata sandi | sandi | kata laluan | kata kunci rahasia | kunci pribadi | kunci privat | kunci api | frasa pemulihan | kode verifikasi | kode otp |
    kode keamanan | frasa rahasia | kunci rahasia | nomor kartu | kartu kredit | token akses |
    kredensial | pertanyaan keamanan | kartu bank | kartu debit`,
  french: `
    mot de passe | phrase secrète | phrase de récupération | clé privée | clé secrète | clé api | clé d api | clé d accès |
    jeton d accès | code de vérification | code de sécurité | code confidentiel | code à usage unique | cryptogramme | numéro de carte | carte bancaire | code secret |
    identifiants de connexion | identifiants bancaires | question de sécurité | question secrète | carte de crédit | carte de paiement`,
  japanese: `
    パスワード | パスフレーズ | 暗証番号 | 合言葉 | 秘密鍵 | シークレット | 認証コード | 確認コード | アクセストークン | カード番号 | リカバリーフレーズ | シードフレーズ | 復元フレーズ | pinコード | ピンコード | ワンタイム | apiキー | セキュリティコード |
    秘密の質問 | ログイン情報 | クレジットカード | キャッシュカード`,
  russian: `
    пароль | кодовое слово | секретное слово | секретный ключ | приватный ключ | закрытый ключ | ключ api | api ключ | токен доступа |
    сид-фраза | сид фраза | мнемоническая фраза | код подтверждения | одноразовый код | код безопасности | фраза восстановления | код из смс | номер карты | пин-код | пин код | ключ доступа |
    ключевая фраза | секретный вопрос | банковской карты | банковская карта | учетные данные | данные для входа`,
  german: `
    passwort | kennwort | losungswort | geheimzahl | geheimer schlüssel | privater schlüssel | api-schlüssel | zugangsdaten |
    zugangscode | zugangsschlüssel | zugriffsschlüssel | einmalcode | einmalkennwort | zugriffstoken | bestätigungscode | sicherheitscode | prüfnummer | kartennummer | kreditkarte |
    wiederherstellungsphrase | passphrase |
    prüfziffer | sicherheitsfrage | anmeldedaten | bankkarte | girocard | entsperrmuster`,
  hindiAndKorean: `
    पासवर्ड | पिन नंबर | पिन कोड | गुप्त कुंजी | गुप्त कोड | निजी कुंजी | सत्यापन कोड | सुरक्षा कोड | रिकवरी वाक्यांश | एपीआई कुंजी | यूपीआई पिन | ओटीपी | 비밀번호 | 암호 | 개인 키 | 개인키 | 인증번호 | 인증 코드 | 카드 번호 | 복구 구문 | 복구 문구 | 시드 문구 | 니모닉 | 보안 코드 | 일회용 코드 | 일회용 비밀 | 액세스 토큰 | api 키 | 비밀 키 |
    보안 질문 | 로그인 정보 | 신용카드 | 체크카드 | क्रेडिट कार्ड | डेबिट कार्ड`,
}

/** Phrases that are read over: they hold one of the words below, and ask for nothing secret. */
const harmless = 'boarding pass | ski pass | bus pass | day pass | palabra clave | palabras clave | clave de orden'
/** Words that hold `secret` or `token` by chance. */
const harmlessNames = /secr[e\u00e9]ta(?:r|ir)\p{L}*|(?:max|maximum|number of|output|input)[ _-]?tokens?|tokens?[ _-]?(?:count|limit)/giu

/** Short words that count only by themselves. */
const words = [
  'p i n',
  'o t p',
  'c v v',
  'puk',
  'pat',
  'pin',
  'pins',
  'otp',
  'totp',
  'cvv',
  'cvc',
  'ssn',
  'iban',
  'pwd',
  'pass',
  'clave',
  'пин',
  'पिन',
  'tan',
  'otp-code',
]

/** A code that came by one of these ways is one that somebody was sent to sign in with. */
const codes = 'code | código | codigo | kode | код | رمز | コード | 코드 | 인증 | कोड | 码 | 碼'
const ways =
  'sms | texted | text message | whatsapp | telegram | your phone | ihr handy | ihrem handy | téléphone | смс | رسالة نصية | 短信 | 簡訊'

const letters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  i: 'l',
  '|': 'l',
  '!': 'l',
  '@': 'a',
  $: 's',
}

/** Longest text that is looked at, in UTF-16 units. */
const LONGEST = 20_000

/** Folds, reads digits and signs as letters, and joins letters that stand apart (`p a s s`). Words have one space between them. */
function normalise(text: string): string[] {
  return foldLetters(text.slice(0, LONGEST).normalize('NFC').replaceAll('\u0640', '')).map((folded) => {
    const read = [...folded]
      .map((letter) => letters[letter] ?? letter)
      .join('')
      .replace(/vv(?=\p{L})/gu, 'w')
    const spaced = read.replace(/[^\p{L}\p{M}]+/gu, ' ')
    return ` ${spaced.replace(/(?<![\p{L}\p{M}])\p{L}(?: \p{L}(?![\p{L}\p{M}])){3,}/gu, (run) => run.replaceAll(' ', ''))} `
  })
}

const folded = (list: string): string[] => list.split('|').flatMap((phrase) => normalise(phrase).map((one) => one.trim()))

function foldLists() {
  const overread = new RegExp(` (?:${folded(harmless).join('|')})(?= )`, 'g')
  return {
    inside: Object.values(phrases).flatMap(folded),
    alone: words.flatMap(normalise),
    codes: folded(codes),
    ways: folded(ways),
    overread,
  }
}
let lists: ReturnType<typeof foldLists> | undefined

/** Whether a label or a sentence asks for a secret. Too much is found rather than too little: what is found is only marked. */
export function asksForSecret(text: string): boolean {
  // Folding them takes 10 ms, so it waits for the first use.
  lists ??= foldLists()
  const { inside, alone, overread, ...sent } = lists
  const forms = normalise(text).map((form) => form.replace(overread, ' '))
  const holds = (form: string, some: readonly string[]): boolean => some.some((one) => form.includes(one))
  return forms.some((form) => holds(form, inside) || holds(form, alone) || (holds(form, sent.codes) && holds(form, sent.ways)))
}

/** Whether the name of a field or its title asks for one; names have patterns of their own (`apiKey`). */
export const labelAsksForSecret = (label: string): boolean =>
  asksForSecret(label) || [label, ...foldLetters(label)].some((one) => looksSecret(one.replace(harmlessNames, '')))
