// Tests that `npm test` leaves to `npm run test:full` and the forge's CI, since the whole takes longer than six minutes on two
// processors. Each is a walk through parts that are tested by themselves: `covered` names where. What guards consent stays in both.

export interface FullOnly {
  /** Path of the spec, or of the test file. */
  readonly file: string
  /** Titles of the tests; absent: all of the file. */
  readonly titles?: readonly string[]
  /** What the walk adds to the tests of its parts. */
  readonly why: string
  /** Test files that `npm test` runs of the same parts. */
  readonly covered: readonly string[]
}

export const fullOnly: readonly FullOnly[] = [
  {
    file: 'e2e/specs/add-server.spec.ts',
    why: 'one long walk through paste, test, repair and the editor; servers.spec.ts adds one and starts it',
    covered: [
      'e2e/specs/servers.spec.ts',
      'renderer/features/servers/candidate-list.test.ts',
      'main/requests/servers/server-requests.integration.test.ts',
    ],
  },
  {
    file: 'e2e/specs/changed-tool.spec.ts',
    why: 'its ways to end are cells of the matrix',
    covered: [
      'main/host/consent-matrix.integration.test.ts',
      'main/host/changed-tool.integration.test.ts',
      'e2e/specs/consent-matrix-own.spec.ts',
    ],
  },
  {
    file: 'e2e/specs/sampling.spec.ts',
    why: 'its ways to end are cells of the matrix',
    covered: [
      'main/host/consent-matrix.integration.test.ts',
      'main/chat/server-requests.integration.test.ts',
      'e2e/specs/consent-matrix.spec.ts',
    ],
  },
  {
    file: 'e2e/specs/hidden-values.spec.ts',
    titles: [
      'a list of 300 before it',
      'a long argument',
      'a name of 100 characters',
      '60 line ends before it',
      '80 lines of text before it',
    ],
    why: 'the two longest of its shapes, and three that a sibling stands for (100 words, 60 lines of blanks, 2,000 blanks)',
    covered: ['e2e/specs/hidden-values.spec.ts', 'renderer/features/consent/request/use-seen.test.ts'],
  },
  {
    file: 'e2e/specs/typing-ahead.spec.ts',
    titles: ['over a slow page, ', 'over code that is late, '],
    why: 'the slow page and the late code each alone: the walk with both stays',
    covered: ['e2e/specs/typing-ahead.spec.ts', 'renderer/ui/lib/hold-typing.test.ts'],
  },
  {
    file: 'e2e/specs/record.spec.ts',
    why: 'search, filters and export of the record, from the page',
    covered: ['renderer/features/audit-log/audit-log-page.test.tsx'],
  },
  {
    file: 'e2e/servers/raw/floods.test.ts',
    why: 'floods of messages and output, in real time',
    covered: ['main/servers/transport/stdio/stdio-transport.integration.test.ts'],
  },
  {
    file: 'e2e/servers/raw/pressure.test.ts',
    why: 'a server that does not read, in real time',
    covered: ['main/servers/transport/stdio/stdio-transport.integration.test.ts'],
  },
  {
    file: 'e2e/electron-fake/types.test.ts',
    why: 'compiles shell, preload and fake once more, to show that a changed electron.d.ts would be seen; the step of types holds both to the real one',
    covered: ['main/shell/electron/safe-storage.test.ts', 'main/shell/electron/ipc.test.ts'],
  },
  {
    file: 'scripts/package.integration.test.ts',
    why: 'packs the application; the release workflow packs it too',
    covered: ['scripts/package-contents.test.ts'],
  },
  {
    file: 'e2e/specs/library.spec.ts',
    why: 'one long walk over all kinds of entries in Chromium',
    covered: ['renderer/features/library/library.test.tsx', 'main/host/resources.integration.test.ts'],
  },
  {
    file: 'e2e/specs/tools-page.spec.ts',
    why: 'runs by hand from the page; the matrix of consent makes its runs so too',
    covered: ['renderer/features/library/tools/tools-section.test.tsx', 'main/chat/manual-runs.integration.test.ts'],
  },
  {
    file: 'e2e/specs/many-tools.spec.ts',
    why: 'a thousand tools in a real page',
    covered: ['main/chat/tools/many-tools.integration.test.ts', 'renderer/features/chat/tools/tool-picker.test.tsx'],
  },
  {
    file: 'e2e/specs/views.spec.ts',
    titles: ['a view draws, is told of its call, asks for what it does, follows the page, and is there again after a reload'],
    why: 'the life of a well-behaved MCP App; the hostile one stays',
    covered: ['renderer/features/mcp-apps/tool-app.test.tsx', 'main/host/views.integration.test.ts'],
  },
  {
    file: 'e2e/specs/server-panel.spec.ts',
    titles: [
      'a server that fails again and again waits for the person, says why, and starts once its remedy is pressed',
      'the panel tells how a server is, and axe finds nothing on any of its tabs',
      'a server that no network leads to is offline, which is no alarm',
    ],
    why: 'waits for real retries, and looks at each tab',
    covered: ['main/servers/lifecycle/supervisor.test.ts', 'main/servers/lifecycle/servers.integration.test.ts'],
  },
  {
    file: 'e2e/specs/sign-in.spec.ts',
    titles: [
      'a no is a no, here and at the page of the issuer, and each time it can be begun again',
      'where the browser cannot come back, the address that it ended at is pasted',
      'a call that needs more asks in its place in the chat, and runs once that is granted',
      'a client that was registered beforehand is filled in; its secret reaches the issuer and never the file',
    ],
    why: 'side paths of a sign-in; the straight one stays, as do the cells of the matrix',
    covered: [
      'e2e/servers/http/sign-in.test.ts',
      'e2e/servers/http/sign-in-refused.test.ts',
      'renderer/features/consent/sign-in-card.test.tsx',
    ],
  },
  {
    file: 'e2e/specs/timeouts.spec.ts',
    why: 'waits for real timeouts',
    covered: ['main/servers/client/calls/overdue-call.test.ts', 'e2e/servers/raw/overdue.test.ts'],
  },
  {
    file: 'e2e/specs/rendering.spec.ts',
    why: 'colours, diagrams and wrapping of what is shown; that markup stays text is in hostile-markup.spec.ts',
    covered: ['renderer/features/chat/code/code-block.test.tsx', 'renderer/features/chat/diagram/diagram.test.tsx'],
  },
  {
    file: 'e2e/specs/endpoint.spec.ts',
    why: 'one model after another in one chat',
    covered: ['main/models/endpoints/endpoints.integration.test.ts', 'main/host/added-model.integration.test.ts'],
  },
  {
    file: 'e2e/specs/attachments.spec.ts',
    why: 'picker, paste and drop of a real browser',
    covered: ['main/chat/attachments/attachments.test.ts', 'main/chat/context/images.integration.test.ts'],
  },
  {
    file: 'e2e/specs/branches.spec.ts',
    why: 'versions of messages, seen in the page',
    covered: ['main/chat/branches.integration.test.ts', 'renderer/features/chat/messages/message-menus.test.ts'],
  },
  {
    file: 'e2e/specs/registry.spec.ts',
    why: 'the pages of the registry one after the other',
    covered: ['main/install/registry/registry.integration.test.ts', 'renderer/features/registry/registry-page.test.tsx'],
  },
  {
    file: 'e2e/specs/bundles.spec.ts',
    why: 'the pages of a bundle one after the other',
    covered: ['main/install/bundles/bundles.integration.test.ts', 'renderer/features/bundles/bundles.test.tsx'],
  },
  {
    file: 'e2e/specs/notification.spec.ts',
    why: 'waits for a long turn',
    covered: ['main/host/notify-user.test.ts'],
  },
  {
    file: 'e2e/specs/settings.spec.ts',
    why: 'appearance and the check of a key',
    covered: ['renderer/features/settings/settings-page.test.tsx'],
  },
  {
    file: 'e2e/specs/context.spec.ts',
    why: 'the meter and what it opens',
    covered: ['main/chat/context/compaction.integration.test.ts', 'renderer/features/chat/context.test.tsx'],
  },
  {
    file: 'e2e/specs/steering.spec.ts',
    why: 'messages that join a turn, seen in the page',
    covered: ['main/chat/steering.integration.test.ts', 'renderer/features/chat/composer/composer.test.tsx'],
  },
  {
    file: 'e2e/specs/history.spec.ts',
    why: 'export, folders, archive and deletion of chats from the page',
    covered: ['renderer/features/history/folder-page.test.tsx', 'main/chat/bulk-changes.integration.test.ts'],
  },
  {
    file: 'e2e/specs/reload.spec.ts',
    titles: ['in a form too, one undo takes back more than the last key'],
    why: 'the same as in the draft, which stays',
    covered: ['e2e/specs/reload.spec.ts'],
  },
]
