package io.penstock.sample.sensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FloatBlockTest {
    private static final float[] SERIES = {1.5f, -2, 0, Float.MAX_VALUE, Float.MIN_VALUE};

    /** The state of a buffer (position and limit) after a servlet container has read into the buffer. Some containers flip the buffer. */
    enum BufferState {
        AS_SPECIFIED,
        FLIPPED
    }

    @Test
    void aBlockIsLittleEndian() {
        ByteBuffer block = FloatBlock.of(new float[] {1});
        assertArrayEquals(new byte[] {0, 0, (byte) 0x80, 0x3f}, block.array());
    }

    @ParameterizedTest
    @EnumSource
    void aBlockThatArrivesInPiecesIsReadUnchanged(BufferState bufferState) throws IOException {
        byte[] bytes = FloatBlock.of(SERIES).array();
        for (int piece = 1; piece <= bytes.length; piece++) {
            assertArrayEquals(SERIES, FloatBlock.read(new InPieces(bytes, piece, bufferState), SERIES.length));
        }
    }

    @Test
    void aBlockThatIsTooLongIsRefused() {
        byte[] bytes = FloatBlock.of(SERIES).array();
        assertThrows(
                FloatBlock.TooLongException.class,
                () -> FloatBlock.read(new InPieces(bytes, 3, BufferState.FLIPPED), SERIES.length - 1));
        byte[] oneByteMore = Arrays.copyOf(bytes, bytes.length + 1);
        assertThrows(
                FloatBlock.TooLongException.class,
                () -> FloatBlock.read(new InPieces(oneByteMore, 100, BufferState.FLIPPED), SERIES.length));
    }

    @Test
    void aBlockIsRefusedIfItEndsInTheMiddleOfAFloat() {
        assertThrows(
                FloatBlock.IncompleteException.class,
                () -> FloatBlock.read(new InPieces(new byte[7], 100, BufferState.AS_SPECIFIED), 10));
    }

    @Test
    void theStatisticsContainTheCountAndTheMinimumAndTheMaximumAndTheMean() {
        Statistics statistics = Statistics.of(new float[] {3, 1, 2});
        assertEquals("{\"count\":3,\"min\":1.0,\"max\":3.0,\"mean\":2.0}", statistics.toJson());
    }

    @Test
    void statisticsOfNanOrOfAnEmptySeriesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Statistics.of(new float[] {1, Float.NaN}));
        assertThrows(IllegalArgumentException.class, () -> Statistics.of(new float[0]));
    }

    private static final class InPieces extends ServletInputStream {
        private final ByteBuffer bytes;
        private final int piece;
        private final BufferState bufferState;

        InPieces(byte[] bytes, int piece, BufferState bufferState) {
            this.bytes = ByteBuffer.wrap(bytes);
            this.piece = piece;
            this.bufferState = bufferState;
        }

        @Override
        public int read(ByteBuffer into) {
            if (!bytes.hasRemaining()) {
                return -1;
            }
            int n = Math.min(piece, Math.min(bytes.remaining(), into.remaining()));
            into.put(bytes.slice(bytes.position(), n));
            bytes.position(bytes.position() + n);
            if (bufferState == BufferState.FLIPPED) {
                into.flip();
            }
            return n;
        }

        @Override
        public int read() {
            return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
        }

        @Override
        public boolean isFinished() {
            return !bytes.hasRemaining();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("This stream is read blockingly");
        }
    }
}
