package io.penstock.standalone;

/** What the process ends with, unless a signal ends it: then it is 128 and the signal's number, once running requests are done. */
enum ExitCode {
    OK(0),
    /** The server could not start: the port, a file or an application is at fault. */
    START_FAILED(1),
    /** The command line or the configuration is wrong. */
    USAGE(2),
    /** The heap was full again and again. The same as of {@code -XX:+ExitOnOutOfMemoryError}. */
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
