/** A file of a form, in the place of its bytes: those stay in the body and go upstream as they came. */
export class FormFile {
  constructor(
    /** As the client called it; null where it gave no name. */
    readonly filename: string | null,
    readonly bytes: number,
  ) {}
}
