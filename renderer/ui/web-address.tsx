// A web address with the domain that decides who gets it set off.
import { registrableDomain } from '#app/text/registrable-domain.ts'
import { VisibleText } from './visible-text.tsx'

interface AddressParts {
  readonly before: string
  readonly domain: string
  readonly after: string
}

/** Undefined when it is no http(s) address: then there is nothing to open. */
export function addressParts(url: string): AddressParts | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const { hostname, host } = new URL(url)
  // The parsed form is what a browser goes to: a host with look-alike letters shows as punycode.
  const href = new URL(url).href
  const domain = registrableDomain(hostname)
  const at = href.lastIndexOf(domain, href.indexOf('/', 8) < 0 ? href.length : href.indexOf(host, 8) + host.length)
  if (at < 0) return { before: '', domain: href, after: '' }
  return { before: href.slice(0, at), domain, after: href.slice(at + domain.length) }
}

/** Within a line: an address that is named, not opened. `https://a.example/` reads as it is written, without the slash. */
export function AddressName({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  if (!parts) return <VisibleText text={url} />
  const bare = parts.after === '/' && !url.endsWith('/')
  return (
    <span className="address-name">
      {parts.before}
      <b>{parts.domain}</b>
      {bare ? '' : parts.after}
    </span>
  )
}

/** A source of a policy: `wss://a.example:8443`, `https://*.a.example`. */
export function SourceName({ source }: { readonly source: string }) {
  const parts = /^([a-z]+:\/\/(?:\*\.)?)([^:/]+)(.*)$/.exec(source)
  if (!parts) return <VisibleText text={source} />
  const [, scheme = '', host = '', after] = parts
  const domain = registrableDomain(host)
  return (
    <span className="address-name">
      {scheme + host.slice(0, host.length - domain.length)}
      <b>{domain}</b>
      {after}
    </span>
  )
}

export function WebAddress({ url }: { readonly url: string }) {
  const parts = addressParts(url)
  return (
    <div className="url">
      {parts ? (
        <>
          {parts.before}
          <b>{parts.domain}</b>
          {parts.after}
        </>
      ) : (
        <VisibleText text={url} />
      )}
    </div>
  )
}
