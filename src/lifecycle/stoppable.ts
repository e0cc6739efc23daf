/** Something of this process that has to be stopped: the app, the workers, the sandbox, the embedded database. */
export interface Stoppable {
  stop(): Promise<void>;
}
