package io.penstock.sample.sensor;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Converts floats to one block of little-endian bytes, and back. A {@code Float32Array} in a browser has the same form.
 * One copy through a view of the buffer converts the whole array. This is faster than one call for each number.
 */
final class FloatBlock {
    private FloatBlock() {}

    /** A block of the given floats. The position of the buffer is 0, so the buffer can be written. */
    static ByteBuffer of(float[] floats) {
        ByteBuffer block = allocate(floats.length);
        block.asFloatBuffer().put(floats);
        return block;
    }

    /**
     * Reads a block up to the end of the stream.
     *
     * @throws TooLongException if there are more than {@code most} floats
     * @throws IncompleteException if the stream ends in the middle of a float
     */
    static float[] read(ServletInputStream in, int most) throws IOException {
        // The buffer has room for one more float. So only a block that is too long can fill the buffer.
        ByteBuffer block = allocate(most + 1);
        // Each read gets a new slice, because some containers flip the buffer.
        for (int n = in.read(block.slice()); n >= 0; n = in.read(block.slice())) {
            block.position(block.position() + n);
            if (block.position() > most * Float.BYTES) {
                throw new TooLongException();
            }
        }
        if (block.position() % Float.BYTES != 0) {
            throw new IncompleteException();
        }
        float[] floats = new float[block.flip().remaining() / Float.BYTES];
        block.asFloatBuffer().get(floats);
        return floats;
    }

    private static ByteBuffer allocate(int floats) {
        return ByteBuffer.allocate(floats * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    static final class TooLongException extends IOException {}

    static final class IncompleteException extends IOException {}
}
