import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { titleWhatIsCut } from './truncated-titles.ts'

let undo = (): void => {}
beforeEach(() => {
  undo = titleWhatIsCut(document)
})
afterEach(() => {
  undo()
  document.body.replaceChildren()
})

/** A line as wide as `room`, with words as wide as `needs`, in px; layout is not the test page's. */
function line(room: number, needs: number, around = '<div></div>') {
  document.body.innerHTML = around
  const element = document.createElement('span')
  element.style.textOverflow = 'ellipsis'
  element.innerHTML = 'Reads <b>one</b> file'
  document.body.firstElementChild?.append(element)
  Object.defineProperty(element, 'clientWidth', { configurable: true, value: room })
  Object.defineProperty(element, 'scrollWidth', { configurable: true, value: needs })
  const over = (): boolean | undefined => element.querySelector('b')?.dispatchEvent(new Event('pointerover', { bubbles: true }))
  over()
  return { element, over }
}

describe('a line that is cut', () => {
  it('says all of it in a title as the pointer comes to it', () => {
    expect(line(40, 90).element.title).toBe('Reads one file')
  })
  it('has no title where it has room, and none any more once it has', () => {
    expect(line(90, 90).element.hasAttribute('title')).toBe(false)
    const { element, over } = line(40, 90)
    Object.defineProperty(element, 'clientWidth', { value: 90 })
    over()
    expect(element.hasAttribute('title')).toBe(false)
  })
  it('says what it is now, where its words changed', () => {
    const { element, over } = line(40, 90)
    element.querySelector('b')?.replaceChildren('every')
    over()
    expect(element.title).toBe('Reads every file')
  })
  it('leaves the title that something around it has', () => {
    expect(line(40, 90, '<button title="Open"></button>').element.hasAttribute('title')).toBe(false)
  })
  it('is let go', () => {
    undo()
    expect(line(40, 90).element.hasAttribute('title')).toBe(false)
  })
})
