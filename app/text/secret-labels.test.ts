import { describe, expect, test } from 'vitest'
import { asksForSecret, labelAsksForSecret } from './secret-labels.ts'

describe('a label that asks for a secret is found', () => {
  test.each([
    ...[
      'Password',
      'pass\u00adword',
      'Pаsswоrd',
      'Ρassword',
      'ｐａｓｓｗｏｒｄ',
      '𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝',
      'p a s s w o r d',
      'p.a.s.s.w.o.r.d',
      'p@ssw0rd',
      'pa\u200bssword',
    ],
    ...[
      'PIN',
      'ＰＩＮ',
      'ΡΙΝ',
      'P1N',
      'your pin',
      'Seed phrase',
      'ѕееd рhrаѕе',
      'Recovery phrase (12 words)',
      'Your 2FA code',
      'CVV',
      'apiKey',
      'API-Key',
    ],
    ...['密码', '助记词', '请输入验证码', 'Contraseña', 'contrasena', 'Clave', 'Frase semilla', 'كلمة المرور', 'كَلِمَة المُرور', 'رمز التحقق'],
    ...[
      'Senha',
      'Palavra-passe',
      'chave privada',
      'Kata sandi',
      'Mot de passe',
      'clé d’API',
      'Cle privee',
      'パスワード',
      '暗証番号',
      'ﾊﾟｽﾜｰﾄﾞ',
    ],
    ...[
      'Пароль',
      'ПАРОЛЬ',
      'Пaроль',
      'Сид-фраза',
      'код из СМС',
      'Passwort',
      'Schlüssel: privater Schlüssel',
      'PRIVATER SCHLÜSSEL',
      'पासवर्ड',
      '비밀번호',
    ],
    ...[
      'كلمـــة المـــرور',
      'Código de un solo uso',
      'Código de uso único',
      'Code à usage unique',
      'Frasa rahasia',
      'PINコード',
      'API 키',
      '恢复短语',
    ],
    ...['Max tokens of the access token', 'Boarding pass and pass'],
  ])('%j', (label) => {
    expect(labelAsksForSecret(label)).toBe(true)
  })
})

describe('a label that does not is not', () => {
  test.each([
    ...[
      'Name',
      'Opinion',
      'Spinning speed',
      'Compass',
      'Compass words',
      'City',
      'Departure',
      'Shopping list',
      'Number of guests',
      'Passengers',
    ],
    ...[
      'Nombre',
      'Reise',
      'Ville',
      'Город',
      'Ключевые слова',
      '城市',
      '都市',
      'المدينة',
      'Cidade',
      'Kota',
      'Kommentar',
      'Titel',
      'Tangente',
    ],
    ...[
      'Secretary',
      'Secretaria',
      'Secrétaire',
      'Boarding pass type',
      'Max tokens',
      'maxTokens',
      'token_count',
      'Palabras clave',
      'Kata kunci',
    ],
  ])('%j', (label) => {
    expect(labelAsksForSecret(label)).toBe(false)
  })
})

test('a sentence about keys and tokens in general asks for none', () => {
  expect(['How many tokens may the answer have?', 'Which key signature?', 'Keyboard layout'].map(asksForSecret)).toEqual([
    false,
    false,
    false,
  ])
})
