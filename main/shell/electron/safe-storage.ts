// Electron's `safeStorage` as the cipher of the secrets' file. What Chromium encrypts on Linux with a fixed password, when no keyring answers,
// counts as plain text: its tag tells the two apart, which Electron's name of the backend does not.
import { safeStorage } from 'electron'
import { type Cipher, noKeyringAnswer } from '#main/base/secret-store.ts'

export function safeStorageCipher(os: NodeJS.Platform): Cipher {
  /** Whether Chromium's fixed password encrypted this. On a Mac and on Windows the same tag stands for the system's key. */
  const hasFixedKey = (encrypted: Buffer): boolean => os !== 'darwin' && os !== 'win32' && encrypted.toString('latin1', 0, 3) === 'v10'
  return {
    // Electron's encryption is "available" as soon as it was set up, so something is encrypted to find out.
    available: async () => (await safeStorage.isAsyncEncryptionAvailable()) && !hasFixedKey(await safeStorage.encryptStringAsync('probe')),
    async encrypt(text) {
      const encrypted = await safeStorage.encryptStringAsync(text)
      if (hasFixedKey(encrypted)) throw noKeyringAnswer()
      return encrypted
    },
    async decrypt(bytes) {
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes)
        return { text: result, isStale: shouldReEncrypt || hasFixedKey(bytes) }
      } catch (error) {
        // Electron tells the two apart in its words alone (shell/browser/api/electron_api_safe_storage.cc).
        if (error instanceof Error && /temporarily unavailable/.test(error.message)) throw noKeyringAnswer(error)
        return undefined
      }
    },
  }
}
