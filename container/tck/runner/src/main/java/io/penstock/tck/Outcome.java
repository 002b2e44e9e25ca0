package io.penstock.tck;

/**
 * What became of one test.
 *
 * @param className of the test
 * @param test its name
 * @param message the first line of what a failure says, else empty
 */
record Outcome(String className, String test, Kind kind, String message) {
    private static final String ROOT = "servlet.tck.";

    /** What became of a test, as Surefire tells it. */
    enum Kind {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** The package without what all have in common. */
    String packageName() {
        String name = className.substring(0, Math.max(0, className.lastIndexOf('.')));
        return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
    }

    /** Whether it is as it has to be: passed, or left out by the TCK itself. */
    boolean isExpected() {
        return switch (kind) {
            case PASSED -> true;
            case FAILED -> false;
            case SKIPPED -> isOptional();
        };
    }

    /** Server push, which is optional, and one test that the TCK itself has switched off. */
    private boolean isOptional() {
        return (packageName().equals("spec.serverpush") && test.startsWith("serverPush"))
                || (packageName().equals("spec.httpservletresponse") && test.startsWith("flushBufferTest"));
    }
}
