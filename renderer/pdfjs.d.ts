// The built files of PDF.js have no types of their own; they are those of the package.
declare module 'pdfjs-dist/build/pdf.min.mjs' {
  export { getDocument, PDFWorker } from 'pdfjs-dist'
}
