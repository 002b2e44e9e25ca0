package io.penstock.experiments.io.copy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The JMH benchmark of one copy of a file. The copy replaces an existing file. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CopyBenchmark {
    @Param("STREAM")
    CopyWay way = CopyWay.STREAM;

    @Param("")
    String from = "";

    @Param("")
    String to = "";

    @Benchmark
    public void copy() throws IOException {
        way.copy(Path.of(from), Path.of(to));
    }
}
