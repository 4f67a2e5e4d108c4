import { randomBytes } from 'node:crypto'

let lastTime = 0
let counter = 0

/** Returns a unique id that sorts by time: 9 characters of time, 3 of order within it, 10 random ones. */
export function newId(): string {
  const now = Date.now()
  counter = now <= lastTime ? counter + 1 : 0
  lastTime = Math.max(lastTime, now)
  const time = lastTime.toString(36).padStart(9, '0')
  return `${time}${counter.toString(36).padStart(3, '0')}${BigInt(`0x${randomBytes(7).toString('hex')}`)
    .toString(36)
    .padStart(11, '0')
    .slice(0, 10)}`
}
