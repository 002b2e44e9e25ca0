package io.penstock.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how the server determines the JVM's limit for memory outside the heap. */
class DirectMemoryTest {
    private static final long HEAP = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        "1048576, 1048576",
        "64k, 65536",
        "64m, 67108864",
        "2G, 2147483648",
        "1t, 1099511627776",
        "0, 1073741824"
    })
    void theLimitIsReadFromMaxDirectMemorySize(String given, long bytes) {
        assertEquals(bytes, DirectMemory.most(List.of("-Xmx1g", "-XX:MaxDirectMemorySize=" + given), HEAP));
    }

    @Test
    void theLimitIsTheHeapSizeIfMaxDirectMemorySizeIsNotSet() {
        assertEquals(HEAP, DirectMemory.most(List.of("-Xmx1g"), HEAP));
    }

    @Test
    void theLastOfSeveralMaxDirectMemorySizeArgumentsIsUsed() {
        List<String> arguments = List.of("-XX:MaxDirectMemorySize=1g", "-XX:MaxDirectMemorySize=32m");
        assertEquals(32L << 20, DirectMemory.most(arguments, HEAP));
    }
}
