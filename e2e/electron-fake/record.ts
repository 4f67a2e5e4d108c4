// What the shell asked of Electron, in order, by name. One list for all fakes, so that order can be checked across them.
interface Call {
  readonly name: string
  readonly args: readonly unknown[]
}

export const calls: Call[] = []

export const record = (name: string, ...args: unknown[]): void => void calls.push({ name, args })

export const callsOf = (name: string): (readonly unknown[])[] => calls.filter((call) => call.name === name).map((call) => call.args)

export const indexOf = (name: string): number => calls.findIndex((call) => call.name === name)
