// The only addresses that ever reach a browser: http and https, without a name or password in them (which make one host
// look like another). What comes back is the address as it will be opened, letter for letter: show that one.

type WebUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'not-an-address' | 'scheme' | 'credentials' }

export function readWebUrl(text: string): WebUrl {
  if (text.length > 8192 || !URL.canParse(text)) return { ok: false, reason: 'not-an-address' }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, reason: 'scheme' }
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[\\/]*[^\\/?#]*@/i.test(text.trim()))
    return { ok: false, reason: 'credentials' }
  return { ok: true, url: url.href }
}
