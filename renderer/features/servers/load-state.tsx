// While something is fetched: nothing for 300 ms, then a ring with what it is.
import { useEffect, useState } from 'react'
import { Spinner } from '#renderer/ui/marks.tsx'
import { tx } from '#renderer/ui/translate.ts'

export function Loading({ what }: { readonly what: string }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="row dim" role="status">
      {late ? (
        <>
          <Spinner />
          {tx`Reading the ${what}`}
        </>
      ) : null}
    </p>
  )
}
