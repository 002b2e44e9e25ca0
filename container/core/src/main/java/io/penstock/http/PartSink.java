package io.penstock.http;

import java.io.IOException;

/**
 * Receives the parts from a {@link MultipartParser}. For each part, {@link #begin} is called once, {@link #data} any number of times, and
 * {@code end} once.
 */
public interface PartSink {

    /**
     * Begins a part.
     *
     * @param position the position of the part's content in the body, in bytes
     */
    void begin(PartHeaders headers, long position) throws IOException, Violation;

    /** Takes bytes of the current part. The array belongs to the parser and is valid until the method returns. */
    void data(byte[] bytes, int offset, int length) throws IOException, Violation;

    void end() throws IOException, Violation;
}
