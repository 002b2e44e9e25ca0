package io.penstock.tck;

/**
 * The result of one test.
 *
 * @param className the class of the test
 * @param test the name of the test
 * @param message the first line of the failure message; empty without a failure
 */
record Outcome(String className, String test, Kind kind, String message) {
    private static final String ROOT = "servlet.tck.";

    /** The kind of a result in Surefire's reports. */
    enum Kind {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** The package of the class, without the prefix that all packages have in common. */
    String packageName() {
        String name = className.substring(0, Math.max(0, className.lastIndexOf('.')));
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }

    /** Whether the result is expected: the test has passed, or the test is optional. */
    boolean isExpected() {
        return switch (kind) {
            case PASSED -> true;
            case FAILED -> false;
            case SKIPPED -> isOptional();
        };
    }

    /** Whether the test is optional. The optional tests are the tests of server push, and one test that the TCK itself disables. */
    private boolean isOptional() {
        return (packageName().equals("spec.serverpush") && test.startsWith("serverPush"))
                || (packageName().equals("spec.httpservletresponse") && test.startsWith("flushBufferTest"));
    }
}
