import type { BundleOption } from '#app/server/registry/options.ts'
import { t } from '#app/words/translate.ts'
import { tx } from '#renderer/ui/translate.ts'
import { WebAddress } from '#renderer/ui/web-address.tsx'

/** Where a bundle is, before anything of it was fetched. */
export function BundleFactsSection({ option: { url, sha256 } }: { readonly option: BundleOption }) {
  return (
    <section className="sec" aria-label={t`What would be downloaded`}>
      <h3>{t`What would be downloaded`}</h3>
      <WebAddress url={url} />
      <p className="help">
        {tx`${
          sha256 === undefined
            ? t`The registry names no SHA-256 for it, so nobody can say whether what comes is what was listed.`
            : t`It is held against the SHA-256 that the registry names.`
        } What it runs and asks for stands in it, and is shown before it is installed.`}
      </p>
    </section>
  )
}
