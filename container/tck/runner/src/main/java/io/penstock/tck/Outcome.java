package io.penstock.tck;

/**
 * The result of one test.
 *
 * @param className the class of the test
 * @param test the name of the test
 * @param message the first line of the failure message; empty without a failure
 */
record Outcome(String className, String test, Kind kind, String message) {

    /** The kind of a result in Surefire's reports. */
    enum Kind {
        PASSED,
        FAILED,
        SKIPPED
    }
}
