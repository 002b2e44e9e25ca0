package io.penstock.standalone;

/** The exit codes of the process. If a signal ends it, the code is 128 plus the signal's number, after running requests are done. */
enum ExitCode {
    OK(0),
    /** The server could not start: the port, a file or an application is at fault. */
    START_FAILED(1),
    /** The command line or the configuration is wrong. */
    USAGE(2),
    /** The heap was full again and again. The same code as with {@code -XX:+ExitOnOutOfMemoryError}. */
    OUT_OF_MEMORY(3),
    /** A reload is done, and settings have changed that need a restart. */
    RESTART_NEEDED(4);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
