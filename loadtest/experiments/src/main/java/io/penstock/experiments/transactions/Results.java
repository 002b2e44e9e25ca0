package io.penstock.experiments.transactions;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The measured minutes of the blocking and the multiplexed client, and their totals. */
record Results(List<Minute> minutes) {

    Results {
        minutes = List.copyOf(minutes);
    }

    List<Minute> of(Kind kind) {
        return minutes.stream().filter(minute -> minute.kind() == kind).toList();
    }

    boolean isEmpty() {
        return minutes.isEmpty();
    }

    int lastMinute() {
        return minutes.stream().mapToInt(Minute::number).max().orElse(0);
    }

    /** The number of complete transactions of both kinds of client. */
    long complete() {
        return minutes.stream().mapToLong(Minute::complete).sum();
    }

    /** The number of transactions per minute, over all minutes of one kind of client; empty if there is no minute. */
    OptionalDouble perMinute(Kind kind) {
        double length = seconds(kind, Minute::length);
        return length == 0 ? OptionalDouble.empty() : OptionalDouble.of(60 * sum(kind, Minute::complete) / length);
    }

    OptionalDouble perMinute(Kind kind, int number) {
        return of(kind).stream()
                .filter(minute -> minute.number() == number)
                .mapToDouble(Minute::perMinute)
                .findFirst();
    }

    /** The number of transactions of the multiplexed client, divided by the number of the blocking client; empty if there is no ratio. */
    static OptionalDouble ratio(OptionalDouble blocking, OptionalDouble multiplexed) {
        return blocking.isEmpty() || multiplexed.isEmpty() || blocking.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(multiplexed.getAsDouble() / blocking.getAsDouble());
    }

    OptionalDouble ratio() {
        return ratio(perMinute(Kind.BLOCKING), perMinute(Kind.MULTIPLEXED));
    }

    /** The mean latency of a complete transaction, in milliseconds. */
    OptionalDouble meanLatencyMillis(Kind kind) {
        return per(1000 * seconds(kind, Minute::latency), (double) sum(kind, Minute::complete));
    }

    /** The processor time of this process, in percent of one processor. */
    OptionalDouble cpuPercent(Kind kind) {
        return per(100 * seconds(kind, Minute::cpu), seconds(kind, Minute::length));
    }

    OptionalDouble serverCpuPercent(Kind kind) {
        return per(100 * seconds(kind, Minute::serverCpu), seconds(kind, Minute::length));
    }

    OptionalDouble cpuMillisPerTransaction(Kind kind) {
        return per(1000 * seconds(kind, Minute::cpu), (double) sum(kind, Minute::complete));
    }

    /** The mean of the system's load averages at the ends of the minutes. */
    OptionalDouble loadAverage(Kind kind) {
        return of(kind).stream()
                .mapToDouble(Minute::loadAverage)
                .filter(load -> load >= 0)
                .average();
    }

    long sum(Kind kind, ToLongFunction<Minute> count) {
        return of(kind).stream().mapToLong(count).sum();
    }

    private double seconds(Kind kind, Function<Minute, Duration> time) {
        return of(kind).stream()
                        .mapToLong(minute -> time.apply(minute).toNanos())
                        .sum()
                / 1e9;
    }

    private static OptionalDouble per(double amount, double number) {
        return number == 0 ? OptionalDouble.empty() : OptionalDouble.of(amount / number);
    }
}
