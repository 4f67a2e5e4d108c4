import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './actions.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function clipboard(writeText: () => Promise<void>): void {
  vi.stubGlobal('navigator', { clipboard: { writeText } })
}
const refused = (): Promise<void> => Promise.reject(new DOMException('no', 'NotAllowedError'))

test('the clipboard’s own way is used where it is allowed', async () => {
  clipboard(() => Promise.resolve())
  expect(await copyText('text')).toBe(true)
})

test('where it is refused, the copy command carries the text as it is, and leaves no listener', async () => {
  clipboard(refused)
  const carried: [string, string][] = []
  const command = (): boolean => {
    const event = new Event('copy', { cancelable: true })
    Object.assign(event, { clipboardData: { setData: (type: string, text: string) => carried.push([type, text]) } })
    return !document.dispatchEvent(event)
  }
  document.execCommand = command
  expect([await copyText('héllo <b>'), carried]).toEqual([true, [['text/plain', 'héllo <b>']]])
  command()
  expect(carried).toHaveLength(1)
})

test('where both are refused, it says so', async () => {
  clipboard(refused)
  document.execCommand = () => false
  expect(await copyText('text')).toBe(false)
})
