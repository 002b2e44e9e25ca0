package io.penstock.develop;

/** Sources do not compile. The message is the output of the compiler, which has several lines. The stack trace would explain nothing. */
final class CompilationException extends Exception {
    private static final long serialVersionUID = 1L;

    CompilationException(String output) {
        super(output, null, false, false);
    }
}
