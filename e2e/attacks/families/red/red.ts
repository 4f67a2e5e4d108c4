// Rows of a red team that had built nothing of what they try, written from SECURITY.md, the guide and the help of the command line alone. None is
// of the quick part.
import type { Attack } from '../../attack.ts'
import { archives } from './archives.ts'
import { cards } from './cards.ts'
import { quickHands } from './hands.ts'
import { launchers } from './launchers.ts'
import { programs } from './programs.ts'
import { questions } from './questions.ts'
import { registryAnswers } from './registry-answers.ts'
import { restores } from './restores.ts'
import { shellDoors } from './shell-doors.ts'
import { signIns } from './sign-ins.ts'
import { taints } from './taints.ts'
import { terminalWords } from './terminal-words.ts'
import { twoWindows } from './two-windows.ts'

export const red: readonly Attack[] = [
  ...cards,
  ...quickHands,
  ...terminalWords,
  ...shellDoors,
  ...taints,
  ...archives,
  ...signIns,
  ...questions,
  ...registryAnswers,
  ...launchers,
  ...programs,
  ...restores,
  ...twoWindows,
].map((one) => ({ ...one, long: true }))
