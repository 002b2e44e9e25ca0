package io.penstock.http;

import java.io.IOException;

/** Where a {@link MultipartParser} puts what it finds: for each part one begin, any number of data, one end. */
public interface PartSink {

    /** @param position of the part's content in the body, in bytes */
    void begin(PartHeaders headers, long position) throws IOException, Violation;

    /** Bytes of the current part; the array is the parser's and good until the method returns. */
    void data(byte[] bytes, int offset, int length) throws IOException, Violation;

    void end() throws IOException, Violation;
}
