// Test files that cannot run on Windows, each with what it needs and with the tests that stand for it there. Single tests say it in their own
// file (`skipIf`). The faults and the attacks run on Linux alone (e2e/faults/run.ts, e2e/attacks/run.ts).

interface PosixOnly {
  /** Path of the file, or of a folder with a `/` at its end. */
  readonly file: string
  readonly needs: string
  /** Tests of the same parts that run on Windows, most of them by values of `win32` and recorded outputs. */
  readonly windows: readonly string[]
}

export const posixOnly: readonly PosixOnly[] = [
  {
    file: 'main/servers/process/sandbox/',
    needs: 'a sandbox, which there is on Linux and macOS, and their paths',
    windows: ['main/servers/lifecycle/servers.integration.test.ts'],
  },
  {
    file: 'main/servers/lifecycle/launch-sandbox.test.ts',
    needs: 'paths of the sandbox',
    windows: ['main/servers/lifecycle/servers.integration.test.ts'],
  },
  {
    file: 'main/servers/process/environment/login-shell.integration.test.ts',
    needs: 'login shells',
    windows: ['main/servers/process/environment/environment.test.ts', 'main/servers/process/environment/search-path.test.ts'],
  },
  {
    file: 'main/servers/process/environment/environment.integration.test.ts',
    needs: 'shell scripts as programs',
    windows: ['main/servers/process/environment/environment.test.ts', 'main/servers/process/windows-command.test.ts'],
  },
  {
    file: 'main/servers/process/ledger/ledger.integration.test.ts',
    needs: 'process groups and shell scripts',
    windows: ['main/servers/process/ledger/reap.test.ts', 'main/servers/process/windows-process-table.test.ts'],
  },
  {
    file: 'main/servers/doctor/stdio.integration.test.ts',
    needs: 'shell scripts, permission bits and signals',
    windows: ['main/servers/doctor/doctor.test.ts'],
  },
  {
    file: 'main/shell/cli/doctor-seldom.integration.test.ts',
    needs: 'programs of POSIX that are made on the way',
    windows: ['main/servers/doctor/doctor.test.ts', 'main/shell/cli/doctor.integration.test.ts'],
  },
  {
    file: 'main/servers/transport/stdio/stdio-process.integration.test.ts',
    needs: 'signals and a shell',
    windows: ['main/servers/process/termination.test.ts', 'main/servers/transport/stdio/stdio-transport.integration.test.ts'],
  },
  {
    file: 'main/servers/lifecycle/packages/fetch-phase.integration.test.ts',
    needs: 'a sandbox, and shell scripts in place of launchers',
    windows: ['main/servers/lifecycle/servers.integration.test.ts', 'app/server/fetched.test.ts'],
  },
  {
    file: 'main/servers/lifecycle/packages/package-registries.integration.test.ts',
    needs: 'shell scripts in place of launchers',
    windows: ['app/server/fetched.test.ts'],
  },
  {
    file: 'main/shell/cli/call-command.integration.test.ts',
    needs: 'a POSIX shell that reads the copied line',
    windows: ['app/server/call-command.test.ts'],
  },
  {
    file: 'main/shell/cli/replay.integration.test.ts',
    needs: 'a POSIX shell that reads the copied line',
    windows: ['app/server/call-command.test.ts'],
  },
  {
    file: 'main/host/earlier-profile.integration.test.ts',
    needs: 'the fingerprints of a profile that Linux wrote',
    windows: ['main/servers/lifecycle/launch-approval.test.ts'],
  },
  {
    file: 'main/shell/node/open-browser.test.ts',
    needs: 'browsers of Linux and permission bits: Windows and macOS are given addresses without a file',
    windows: ['main/shell/electron/electron-platform.test.ts'],
  },
  {
    file: 'scripts/start.integration.test.ts',
    needs: 'shell scripts in place of Electron, signals and a pseudo-terminal',
    windows: ['scripts/module-address.test.ts'],
  },
  {
    file: 'e2e/specs/open-link.spec.ts',
    needs: 'xdg-open: Windows and macOS are given addresses without a file',
    windows: ['main/shell/electron/electron-platform.test.ts'],
  },
  {
    file: 'e2e/specs/hidden-values.spec.ts',
    needs: 'a shell as program',
    windows: ['renderer/features/consent/request/use-seen.test.ts'],
  },
  {
    file: 'e2e/specs/hostile-values.spec.ts',
    needs: 'a shell as program',
    windows: ['renderer/features/consent/request/use-seen.test.ts'],
  },
]

/** Patterns of the files that this system leaves out. */
export const leftOutHere = (platform: NodeJS.Platform = process.platform): string[] =>
  platform === 'win32' ? posixOnly.map(({ file }) => (file.endsWith('/') ? `${file}**` : file)) : []
