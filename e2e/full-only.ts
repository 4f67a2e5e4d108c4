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
    file: 'main/shell/mcp/gate-tasks.integration.test.ts',
    titles: ['an agent of the older era, a server of the %s one', 'an agent of the newer era, a server of the %s one'],
    why: 'two of four pairs of eras: each agent and each server is in the other two',
    covered: ['main/shell/mcp/gate-tasks.integration.test.ts', 'main/servers/client/requests/task.test.ts'],
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
      '2,000 blanks before it',
      '40 harmless arguments before it',
      'a word of 5,000 letters before it',
      '60 line ends',
      'names of 100 variables',
    ],
    why: 'the longest of its shapes, and those that a sibling stands for (100 words, 60 lines of blanks, 60 levels, 80 arguments)',
    covered: ['e2e/specs/hidden-values.spec.ts', 'e2e/specs/hostile-values.spec.ts', 'renderer/features/consent/request/use-seen.test.ts'],
  },
  {
    file: 'e2e/specs/typing-ahead.spec.ts',
    titles: [
      'over a slow page, ',
      'over code that is late, ',
      'Enter that comes before the menu runs what is typed before it',
      'a menu whose code cannot be had is closed, says so, and gives the focus back',
      'what is typed after the shortcut of the search is searched for',
    ],
    why: 'the slow page and the late code each alone, and more ends of the same: the walk with both stays, and that of a new chat',
    covered: [
      'e2e/specs/typing-ahead.spec.ts',
      'renderer/ui/lib/hold-typing.test.ts',
      'renderer/features/command-menu/command-menu.test.tsx',
    ],
  },
  {
    file: 'e2e/specs/activity.spec.ts',
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
    file: 'main/servers/lifecycle/packages/fetch-phase.integration.test.ts',
    titles: ['pnpm', 'yarn', "'bun', ['x', '--bun'"],
    why: 'npm installs their packages as it does for npx and bunx, which stay: what differs is how their arguments are read',
    covered: ['app/server/fetched.test.ts', 'main/servers/lifecycle/packages/package-registries.integration.test.ts'],
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
    why: 'waits for real retries, and looks at each tab and at its log',
    covered: [
      'main/servers/lifecycle/supervisor.test.ts',
      'main/servers/lifecycle/servers.integration.test.ts',
      'renderer/features/servers/log/log-tab.test.tsx',
    ],
  },
  {
    file: 'e2e/specs/sign-in.spec.ts',
    titles: [
      'a no is a no, here and at the page of the issuer, and each time it can be begun again',
      'where the browser cannot come back, the address that it ended at is pasted',
      'a call that needs more asks in the dock of its chat, and runs once that is granted',
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
    titles: ['in a form too, one undo takes back more than the last key', 'stop ends the answer at once and keeps what came'],
    why: 'the first is the same as in the draft, which stays; the second is the end of a turn',
    covered: ['e2e/specs/reload.spec.ts', 'main/chat/cut-off.integration.test.ts', 'main/chat/chat.integration.test.ts'],
  },
  {
    file: 'e2e/specs/consent-matrix.spec.ts',
    titles: ['the model’s answer', 'the reference server', 'ends with the call that asked, in both windows'],
    why: 'a second and third kind of the same end: each end stays with another kind, and all cells at the level of the host link',
    covered: [
      'main/host/consent-matrix.integration.test.ts',
      'e2e/specs/consent-matrix.spec.ts',
      'e2e/servers/everything/everything.test.ts',
    ],
  },
  {
    file: 'e2e/specs/consent-matrix-own.spec.ts',
    titles: [
      'is there after a reload, and runs what was shown',
      'is allowed in the second window, and runs once',
      'is withdrawn from both windows as its server is stopped',
      'is there after a reload, and leads to the issuer',
      'is done from the second window, once',
      'are asked for anew where another choice takes the place of the first',
      'are written by an answer after a reload',
      'are taken over from the second window',
    ],
    why: 'a reload and a second window, which a call and a changed definition go through: each refusal stays, and all cells at the host link',
    covered: ['main/host/consent-matrix.integration.test.ts', 'e2e/specs/consent-matrix-own.spec.ts', 'e2e/specs/sign-in.spec.ts'],
  },
  {
    file: 'e2e/specs/endpoint-form.spec.ts',
    why: 'the form of an added model, field by field',
    covered: ['renderer/features/settings/models-tab.test.tsx', 'main/models/endpoints/endpoints.integration.test.ts'],
  },
  {
    file: 'e2e/specs/first-run.spec.ts',
    titles: ['rename: the write is shown before it happens, and has happened after'],
    why: 'a second call of the demo server; the first one, its form and its refusal stay',
    covered: ['e2e/specs/first-run.spec.ts', 'resources/demo-server/demo-server.integration.test.ts'],
  },
  {
    file: 'e2e/specs/first-starts.spec.ts',
    titles: [
      '“Answer without it” answers at once, and no later turn of the chat is held',
      'a turn that waits can be stopped, and focus is in the message then',
    ],
    why: 'two more ways out of the wait for a first start; the start and its refusal stay',
    covered: ['e2e/specs/first-starts.spec.ts', 'main/chat/begin.integration.test.ts'],
  },
  {
    file: 'e2e/specs/form.spec.ts',
    titles: ['forms that come together are steps, sent as one; Escape leaves them waiting, and Cancel gives no answer'],
    why: 'several forms in one card; a form by itself stays',
    covered: ['renderer/features/consent/elicitation/form-card.test.tsx', 'e2e/specs/first-run.spec.ts'],
  },
  {
    file: 'e2e/specs/keyboard.spec.ts',
    titles: ['who chooses with the mouse writes on; who chooses with keys is where they were'],
    why: 'where the focus goes after each menu',
    covered: ['renderer/features/command-menu/command-menu.test.tsx', 'e2e/specs/keyboard.spec.ts'],
  },
  {
    file: 'e2e/specs/open-link.spec.ts',
    titles: ['a file that no browser used goes with the process that made it'],
    why: 'the end of a file that nobody opened',
    covered: ['main/shell/node/open-browser.test.ts', 'e2e/specs/open-link.spec.ts'],
  },
  {
    file: 'e2e/specs/page-key.spec.ts',
    titles: ['the key leaves the address, and reloads and second tabs are let in by it'],
    why: 'the key as its own page uses it; that a wrong one and another program are refused stays',
    covered: ['renderer/host-connection/page-key.test.ts', 'e2e/specs/page-key.spec.ts', 'e2e/attacks/web-shell-hello.test.ts'],
  },
  {
    file: 'e2e/specs/request-focus.spec.ts',
    titles: ['arguments that were opened and used as they were are not said to be edited'],
    why: 'a mark on what was sent as it was',
    covered: ['renderer/features/consent/tool-call/edit-parts.test.tsx'],
  },
  {
    file: 'e2e/specs/search.spec.ts',
    why: 'search from the page',
    covered: ['renderer/features/search/search-page.test.tsx'],
  },
  {
    file: 'e2e/specs/servers.spec.ts',
    titles: ['a program that is not there is named, and the others work on'],
    why: 'a second way to fail at a start; the crash stays',
    covered: ['main/servers/doctor/stdio.integration.test.ts', 'e2e/specs/servers.spec.ts'],
  },
  {
    file: 'e2e/specs/takeover.spec.ts',
    why: 'the whole way of an import from other applications, and of Assent into their files; its consent stays in the matrix',
    covered: [
      'renderer/features/servers/import/takeover.test.tsx',
      'main/host/consent-matrix.integration.test.ts',
      'main/requests/servers/app-link-requests.test.ts',
      'renderer/features/settings/other-apps-tab.test.tsx',
    ],
  },
  {
    file: 'main/store/crash.integration.test.ts',
    why: 'kills a writer twenty times; the quick half of the faults kills whole hosts',
    covered: ['main/store/store-api.integration.test.ts', 'main/store/open-store.test.ts', 'e2e/faults/acknowledged.test.ts'],
  },
  {
    file: 'main/shell/cli/replay.integration.test.ts',
    why: 'recorded calls made again in a real shell',
    covered: ['app/server/call-command.test.ts', 'main/shell/cli/call-command.integration.test.ts'],
  },
  {
    file: 'main/shell/cli/lists.integration.test.ts',
    why: 'how each command tells of a list that fails, a process each',
    covered: ['main/shell/cli/cli.integration.test.ts', 'main/servers/client/catalogue/catalogue.integration.test.ts'],
  },
  {
    file: 'e2e/specs/artifacts.spec.ts',
    titles: ['a page of an answer says where it failed, and what it could not load'],
    why: 'two lines that the pane shows; its whole life and the hostile page stay',
    covered: ['renderer/features/chat/artifacts/artifact-frame.test.ts', 'e2e/specs/artifacts.spec.ts'],
  },
  {
    file: 'e2e/specs/personal.spec.ts',
    titles: ['a fact is noted once it was allowed, is read in other chats with its mark, and can be edited and deleted'],
    why: 'a fact as the page shows it; instructions, saved prompts and assistants stay',
    covered: ['main/chat/builtin-tools/memory.integration.test.ts', 'main/requests/personal-requests.test.ts'],
  },
  {
    file: 'e2e/specs/package-update.spec.ts',
    why: 'npm installs two versions of a package; the question and what each answer does are tested with the same registry',
    covered: [
      'main/servers/lifecycle/packages/pinned-launch.integration.test.ts',
      'main/servers/lifecycle/packages/fetch-phase.integration.test.ts',
    ],
  },
  {
    file: 'main/servers/lifecycle/packages/pipx.integration.test.ts',
    why: 'pipx makes five environments of Python; how its command line and its settings are read stays',
    covered: ['main/servers/lifecycle/packages/package-registries.integration.test.ts', 'app/server/fetched.test.ts'],
  },
  {
    file: 'main/shell/mcp/odd-servers.integration.test.ts',
    why: 'a host and the process of an agent for each of 18 rows',
    covered: [
      'main/shell/mcp/gate-names.test.ts',
      'main/shell/mcp/shared-servers.integration.test.ts',
      'main/shell/mcp/passing-through.integration.test.ts',
    ],
  },
]
