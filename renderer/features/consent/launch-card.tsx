// "notes wants to start a program": the exact command, word by word, before anything of it runs.
import { useMemo } from 'react'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import { whySentence } from '#app/consent/sentence.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { CommandLine } from './command-line.tsx'
import { ChangedParts } from './diff-view.tsx'
import { launchDiff } from './launch-diff.ts'
import { Why } from './why.tsx'
import { YesNoAsk } from './yes-no-ask.tsx'

/** Where characters stand that cannot be seen, by the words of the card. */
function hiddenIn(target: LaunchTarget): string[] {
  const named: readonly (readonly [string, boolean])[] =
    target.transport === 'stdio'
      ? [
          ['The program', anyHidden(target.command)],
          ...target.args.map((arg, index) => [`Argument ${index + 1}`, anyHidden(arg)] as const),
          ['The folder', anyHidden(target.cwd ?? '')],
          ['The name of a variable', anyHidden([...target.envNames])],
        ]
      : [
          ['The address', anyHidden(target.url)],
          ['The name of a header', anyHidden([...target.headerNames])],
        ]
  return named.flatMap(([name, hidden]) => (hidden ? [name] : []))
}

export function LaunchCard({ request }: { readonly request: LaunchRequest }) {
  const where = hiddenIn(request.target)
  const hidden = where.length > 0
  const program = request.target.transport === 'stdio'
  return (
    <YesNoAsk
      request={request}
      about={request.fingerprint}
      // Kept for exactly this command: its fingerprint is what is approved, and any change asks again.
      scope="always"
      plain={hidden || request.previous !== undefined || request.changedValues !== undefined}
      yes={program ? (hidden ? 'Run it as it is' : 'Run it') : 'Connect'}
      no={program ? 'Don’t run' : 'Don’t connect'}
      // A test run stands where it was asked for, and has a Stop of its own.
      later={!request.trial}
    >
      <p className="dim">
        {program
          ? `To start ${request.server}, Assent runs exactly this, without a shell. It can read and change what you can.`
          : `To use ${request.server}, Assent connects to exactly this address. Nothing is sent before you say so.`}
      </p>
      <CommandLine target={request.target} />
      {hidden && (
        <Notice
          tone="bad"
          title={`${where[0]}${where.length > 1 ? ` and ${where.length - 1} more` : ''} ${where.length > 1 ? 'hold' : 'holds'} a character that can’t be seen.`}
        >
          It is spelled out where it stands, and may be an accident of what was pasted.{' '}
          {request.trial ? 'Correct it in the form,' : 'Correct it in the settings of this server,'} or go on only if you know why it is
          there.
        </Notice>
      )}
      {request.changedValues && (
        <Notice
          tone="warn"
          title={<Revealed text={`The value of ${request.changedValues.join(', ')} has changed since you allowed this.`} />}
        >
          {request.previous
            ? 'Values are not shown.'
            : 'Everything else is as it was. If you did not change it, find out who did before you allow it.'}
        </Notice>
      )}
      {request.valuesUnknown && (
        <Notice tone="warn" title="The keyring doesn’t tell whether its values are still those that you allowed.">
          It may be locked, or a new one. {request.previous ? null : 'Everything else is as it was.'}
        </Notice>
      )}
      {request.previous && (
        <>
          <Notice tone="warn" title="This is not what you allowed before.">
            If you did not change it, find out who did before you allow it.
          </Notice>
          <ChangedLaunch before={request.previous} after={request.target} />
        </>
      )}
      <Why>
        {whySentence(request.why)}{' '}
        {request.trial
          ? 'It runs once, to be tried out. If you then save exactly this, you are not asked again.'
          : 'Asked once for exactly this. If a word of it changes, you are shown the difference and asked again.'}
      </Why>
    </YesNoAsk>
  )
}

function ChangedLaunch({ before, after }: { readonly before: LaunchTarget; readonly after: LaunchTarget }) {
  const { changed, masked } = useMemo(() => launchDiff(before, after), [before, after])
  return (
    <>
      <ChangedParts parts={changed} />
      {masked && (
        <p className="help">
          {changed.length > 0
            ? 'What looked like a secret was not kept: it may have changed too.'
            : 'What changed is a part that looks like a secret. What it was is not kept.'}
        </p>
      )}
    </>
  )
}
