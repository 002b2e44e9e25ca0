package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.function.Function;

/**
 * Who stands beside the normal requests in one part of a scenario.
 *
 * @param name in a few words, such as {@code 400 slow uploads}
 * @param size how many they are
 * @param at the crowd for a server that has started
 */
record Company(String name, int size, Function<ServerProcess, CrowdPlan> at) {}
