// One request of any kind, with all that is needed to answer it. In a chat and on the Requests page alike.
import type { ConsentRequest } from '#app/consent/request.ts'
import { ConfigImportCard } from './config-import-card.tsx'
import { FormCard } from './form-card.tsx'
import { LaunchCard } from './launch-card.tsx'
import { RootsCard } from './roots-card.tsx'
import { SamplingCard } from './sampling-card.tsx'
import { SamplingResultCard } from './sampling-result-card.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { ToolCallCard } from './tool-call-card.tsx'
import { ToolChangedCard } from './tool-changed-card.tsx'
import { UrlCard } from './url-card.tsx'

export function ConsentCard({ request }: { readonly request: ConsentRequest }) {
  switch (request.kind) {
    case 'tool-call':
      return <ToolCallCard request={request} />
    case 'launch':
      return <LaunchCard request={request} />
    case 'elicitation-form':
      return <FormCard request={request} />
    case 'elicitation-url':
      return <UrlCard request={request} />
    case 'sign-in':
      return <SignInCard request={request} />
    case 'sampling':
      return <SamplingCard request={request} />
    case 'sampling-result':
      return <SamplingResultCard request={request} />
    case 'roots':
      return <RootsCard request={request} />
    case 'tool-changed':
      return <ToolChangedCard request={request} />
    case 'config-import':
      return <ConfigImportCard request={request} />
  }
}
