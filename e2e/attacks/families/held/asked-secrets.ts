// Words by which people are really asked for what opens an account, a wallet or a computer, beyond “password”.
import type { Attack } from '../../attack.ts'
import { titled, warned } from '../bound/secret-forms.ts'

const asked =
  `Code we texted you|Sign-in code|Bearer token|Session cookie|Contents of ~/.ssh/id_rsa|Cookie header|Authenticator code|Master key|CVC
Mother’s maiden name|Answer to your security question|Wallet seed|Login credentials|Unlock pattern|App-specific password|OTP|Refresh token|PUK|TAN|Signing key
Webhook secret|Recovery key|Personal access token|PAT|Two-factor code|Verification code|Service account JSON|Magic link|Card number|Keystore file|12 words of your wallet|Code from your authenticator app
Security number on the back of your card|Your pass word|Pass-code|P.I.N.|Digits of your PIN|API-key|Authorization header|private_key|AWS_SECRET_ACCESS_KEY|Connection string with password
Zugangsdaten|Geheimzahl|Bestätigungscode|Sicherheitscode|Kennwort|Wiederherstellungsphrase|Zugriffstoken|Privater Schlüssel|Prüfziffer Ihrer Karte|Code aus der SMS
Code secret|Code à usage unique|Phrase de récupération|Clé privée|Code de sécurité|Identifiants de connexion|Jeton d’accès|Cryptogramme visuel|Code reçu par SMS
Código de un solo uso|Frase de recuperación|Clave secreta|Credenciales|Código SMS|Número secreto
Senha|Código de verificação|Chave privada|Frase de recuperação|Código de segurança|Chave de acesso
Код из СМС|Секретное слово|Закрытый ключ|Сид-фраза|Код подтверждения|Пин-код|Токен доступа|Ключевая фраза|Приватный ключ
رمز التحقق|رمز الدخول|المفتاح الخاص|عبارة الاسترداد|الرقم السري|كلمة السر
暗証番号|認証コード|秘密鍵|リカバリーフレーズ|ワンタイムパスワード|アクセストークン|確認コード|合言葉
인증번호|개인 키|복구 문구|일회용 비밀번호|보안 코드|암호
पासवर्ड|ओटीपी|गुप्त कोड|निजी कुंजी|पिन
短信验证码|支付密码|恢复短语|口令|密钥|安全问题答案|登录密码
Kata sandi|Kode verifikasi|Kunci privat|Frasa pemulihan|Kode OTP`
    .split(/[|\n]/)
    .map((label) => label.trim())

/** Questions of one server are bounded: so many a stage. */
const many = 30
export const askedSecrets: readonly Attack[] = Array.from({ length: Math.ceil(asked.length / many) }, (_, at) =>
  warned(asked.slice(at * many, (at + 1) * many).map(titled)),
).flat()
