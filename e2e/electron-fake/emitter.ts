import { EventEmitter } from 'node:events'

/** Electron's emitters as the shell uses them. What `on` returns is not used, so it is typed to fit every overload. */
export class Emitter {
  readonly #emitter = new EventEmitter()

  on(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.on(event, listener as () => void)
    return this as never
  }

  once(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.once(event, listener as () => void)
    return this as never
  }

  off(event: string, listener: (...args: never[]) => void): never {
    this.#emitter.off(event, listener as () => void)
    return this as never
  }

  /** What Electron would do; false: nobody listens. */
  fire(event: string, ...args: unknown[]): boolean {
    return this.#emitter.emit(event, ...args)
  }

  listenerCount(event: string): number {
    return this.#emitter.listenerCount(event)
  }

  forgetListeners(): void {
    this.#emitter.removeAllListeners()
  }
}

/** An event that can be prevented, as Electron hands them to listeners. */
interface FakeEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

export function fakeEvent<T extends object>(details: T = {} as T): FakeEvent & T {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true
    },
  }
  return event
}
