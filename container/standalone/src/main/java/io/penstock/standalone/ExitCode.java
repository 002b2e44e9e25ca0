package io.penstock.standalone;

/**
 * The exit codes of the process. If the process ends because of a signal, it first completes the running requests. In this case, the code
 * is 128 plus the signal's number.
 */
enum ExitCode {
    OK(0),
    /** The server could not start, because of a port, a file or an application. */
    START_FAILED(1),
    /** The command line or the configuration is wrong. */
    USAGE(2),
    /** The heap was full repeatedly. The JVM option {@code -XX:+ExitOnOutOfMemoryError} uses the same code. */
    OUT_OF_MEMORY(3),
    /** A reload has succeeded, but some changed settings need a restart. */
    RESTART_NEEDED(4);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
