package io.penstock.standalone;

/**
 * The exit codes of the process. If a signal ends the process, the running requests are completed first, and the code is 128 plus the
 * signal's number.
 */
enum ExitCode {
    OK(0),
    /** The server could not start: the port, a file or an application is at fault. */
    START_FAILED(1),
    /** The command line or the configuration is wrong. */
    USAGE(2),
    /** The heap was full repeatedly. {@code -XX:+ExitOnOutOfMemoryError} has the same code. */
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
