import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import { type LaunchSandbox, noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { CommandLineView } from './command-line-view.tsx'
import { SandboxView } from './sandbox-view.tsx'

const on = (more: object = {}): LaunchSandbox => ({ kind: 'on', ownFolder: true, ...noGrants, ...more })
const textOf = (sandbox: LaunchSandbox): string => render(<SandboxView sandbox={sandbox} />).container.textContent

it.each<[LaunchSandbox, string]>([
  [on(), 'May readthe system and its packageMay writea home folder of its ownMay reachno host'],
  [
    on({ ownFolder: false, read: ['/r'], write: ['/w'], hosts: ['a.example'], denyRead: ['/w/no'] }),
    'May readthe system, its package and its folder/r/wMay writea home folder of its own/wMay reacha.exampleMay not read/w/no',
  ],
  [{ kind: 'off' }, 'Not sandboxed, as its entry says. '],
  [{ kind: 'missing', reason: 'refused', remedy: 'Do this.' }, 'Not sandboxed on this computer. Do this.'],
])('%j', (sandbox, text) => {
  expect(textOf(sandbox)).toBe(text)
})

it.each<[boolean, string]>([
  [true, 'a home folder of its own'],
  [false, '/home/ada'],
])('names the folder that it really begins in (its own: %s)', (ownFolder, folder) => {
  const target: LaunchTarget = { transport: 'stdio', command: 'x', args: [], envNames: [], folder: '/home/ada', sandbox: on({ ownFolder }) }
  const { container } = render(<CommandLineView target={target} />)
  expect(container.textContent).toContain(`Folder${folder}`)
})
