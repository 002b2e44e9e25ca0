package io.penstock.part;

/**
 * An exception with an explanation in several lines, such as the errors of a page with lines of its source. The server logs the explanation
 * with the exception, and shows it to clients only where it shows exceptions: in development.
 */
public interface ExplainedFailure {
    /** The lines, separated by line feeds. They contain no text of a client. */
    String explanation();
}
