package io.penstock.mapping;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Finds the servlet of a path, in an application that has a URL pattern of each kind. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Mapping {

    /** One path for each kind of pattern. */
    @Param({"/hello", "/orders/17/lines", "/pages/start.jsp", "/images/logo.png"})
    String path = "/hello";

    private final ServletMappings<String> mappings = ServletMappings.<String>builder()
            .add("/hello", "exact")
            .add("/orders/*", "path")
            .add("/orders/new/*", "longer path")
            .add("*.jsp", "extension")
            .add("/", "default")
            .build();

    @Benchmark
    public @Nullable Match<String> match() {
        return mappings.match(path);
    }
}
