// What the shape of a text says beyond its words: `portrait.jpg` is an image, `#general` a channel, "+49 151 …" a phone
// number. Each gives terms that count like synonyms. Only shapes that mean the same to everybody.
import { stem } from './words.ts'

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\.(?:jpe?g|png|gif|webp|svg|heic|tiff?)\b/i, 'image picture file'],
  [/\.(?:mp4|mov|mkv|avi|webm)\b/i, 'video file'],
  [/\.(?:mp3|wav|m4a|ogg|flac)\b/i, 'audio file'],
  [/\.(?:txt|md|csv|json|ya?ml|xml|log|ts|js|py|html?)\b/i, 'file text read'],
  [/\.(?:docx?|odt|rtf)\b/i, 'document file'],
  [/\.(?:xlsx?|csv|ods)\b/i, 'spreadsheet table'],
  [/\.pdf\b/i, 'pdf document'],
  [/\.(?:com|org|net|dev|io|example)\b|https?:\/\//i, 'url web page website browser domain'],
  [/\S@\S+\.\w/, 'email address'],
  [/(?:^|\s)#[a-z]/i, 'channel message'],
  [/(?:^|\s)@[a-z]/i, 'user mention'],
  [/\+\d[\d\s-]{6,}/, 'phone number'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/, 'ip address'],
  [/\b[A-Z][A-Z0-9]+-\d+\b/, 'issue ticket'],
  [/\b[\w-]+\/[\w.-]+\b/, 'repository'],
  [/[€$£¥]|\b(?:euros?|dollars?|pounds?|yen|usd|eur)\b/i, 'currency money amount'],
  [
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:tomorrow|tonight|noon|o'clock|half past)\b|\b\d{1,2}\s?(?:am|pm)\b/i,
    'calendar event',
  ],
]

/** Terms, each once. */
export const hintsOf = (text: string): readonly string[] => [
  ...new Set(shapes.flatMap(([shape, words]) => (shape.test(text) ? words.split(' ').map(stem) : []))),
]
