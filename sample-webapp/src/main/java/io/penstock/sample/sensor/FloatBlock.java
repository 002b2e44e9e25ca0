package io.penstock.sample.sensor;

import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Floats as one block of little-endian bytes, the form of a {@code Float32Array} in a browser. One copy through a view of the
 * buffer converts the whole array, without a call for each number.
 */
final class FloatBlock {
    private FloatBlock() {}

    /** A block of these floats, ready to be written. */
    static ByteBuffer of(float[] floats) {
        ByteBuffer block = allocate(floats.length);
        block.asFloatBuffer().put(floats);
        return block;
    }

    /**
     * Reads a block up to the end of the stream.
     *
     * @throws TooLongException if there are more than {@code most} floats
     * @throws IncompleteException if it ends in the middle of a float
     */
    static float[] read(ServletInputStream in, int most) throws IOException {
        // Room for one more: only a block that is too long can fill the buffer.
        ByteBuffer block = allocate(most + 1);
        // Reads into a new slice each time, since some containers flip the buffer.
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
