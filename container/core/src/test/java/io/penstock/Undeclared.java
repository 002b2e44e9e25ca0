package io.penstock;

/** Throws checked exceptions from methods that do not declare them, as code in Kotlin or Groovy can. */
public final class Undeclared {
    private Undeclared() {}

    public static void raise(Exception thrown) {
        Undeclared.<RuntimeException>raiseAs(thrown);
    }

    @SuppressWarnings("unchecked") // the cast is not checked, which is the purpose
    private static <T extends Exception> void raiseAs(Exception thrown) throws T {
        throw (T) thrown;
    }
}
