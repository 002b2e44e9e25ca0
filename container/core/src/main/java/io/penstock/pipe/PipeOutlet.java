package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Where a response pipe is emptied into: a connection that takes what it can at the moment. Nothing here waits. */
public interface PipeOutlet {

    /** A gathering write; returns the bytes taken, 0 if none can be taken at present. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /** Sends bytes of a file without touching them; returns the bytes taken, 0 if none can be taken at present. */
    long transferFrom(FileChannel file, long position, long count) throws IOException;
}
