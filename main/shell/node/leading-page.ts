// A page that leads to an address by itself, without a script and without a step back to it in the history. It is what a
// private file holds for the browser (browser.ts) and what the web shell answers a one-time link with.
import { spokenLanguage, t } from '#app/words/translate.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function leadingPage(address: string): string {
  const escaped = address.replace(/[&<>"']/g, (found) => escapes[found] ?? '')
  return `<!doctype html>
<html lang="${spokenLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${escaped}">
<title>Assent</title>
<p><a href="${escaped}">${t`Continue`}</a></p>
</html>
`
}
