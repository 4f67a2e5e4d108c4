// Registrable part of a host. Without the public suffix list it is a rule of thumb: the last two labels, or three below a country's
// second level (co.uk) or a hosting domain. The whole host is always shown beside it.

const secondLevel = /^(?:com?|org|net|gov|edu|ac|or|ne|go|gob|nom|ltd|plc|sch|nhs|mil)$/

/** Hosting domains whose subdomains have different owners; a missing one makes two of them look related. */
const shared = new Set(
  (
    'github.io gitlab.io pages.dev workers.dev vercel.app netlify.app web.app firebaseapp.com herokuapp.com onrender.com fly.dev ' +
    'railway.app deno.dev azurewebsites.net cloudfront.net amazonaws.com run.app appspot.com ngrok.io ngrok.app ngrok-free.app ' +
    'trycloudflare.com glitch.me repl.co replit.app hf.space supabase.co auth0.com okta.com'
  ).split(' '),
)

export function registrableDomain(host: string): string {
  if (/^[\d.]+$/.test(host) || host.includes(':')) return host
  // A trailing dot is no label.
  const labels = host.replace(/\.$/, '').split('.')
  const last = labels.at(-1) ?? ''
  const wide = labels.length > 2 && ((last.length === 2 && secondLevel.test(labels.at(-2) ?? '')) || shared.has(labels.slice(-2).join('.')))
  return labels.slice(wide ? -3 : -2).join('.')
}

/** Registrable domain of an address; undefined when it is none. */
export const domainOf = (url: string): string | undefined => (URL.canParse(url) ? registrableDomain(new URL(url).hostname) : undefined)

/** Whether the host has non-ASCII letters, which can look like Latin ones. */
export const isPunycode = (url: string): boolean => URL.canParse(url) && /(?:^|\.)xn--/.test(new URL(url).hostname)
