package io.penstock.context;

import io.penstock.time.Clock;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where paths have been found lately, links followed and spelling compared: that takes a call of the system for each segment of a path,
 * and folders seldom turn into links. A place is believed for a second; whether the file is there, its size and its time are asked for
 * each time.
 *
 * <p>Thread: any. Bounded: only what exists is remembered, and it begins anew when there is too much.
 */
final class FoundPlaces {
    private static final long BELIEVED_NANOS = 1_000_000_000;
    private static final int MOST = 4096;

    private record Place(Path real, long until) {}

    private final Clock clock;
    private final ConcurrentHashMap<String, Place> places = new ConcurrentHashMap<>();

    FoundPlaces(Clock clock) {
        this.clock = clock;
    }

    /** Where the path was found less than a second ago; null if it was not. */
    @Nullable
    Path get(String path) {
        Place place = places.get(path);
        return place != null && clock.nanos() - place.until() < 0 ? place.real() : null;
    }

    void put(String path, Path real) {
        if (places.size() >= MOST) {
            places.clear();
        }
        places.put(path, new Place(real, clock.nanos() + BELIEVED_NANOS));
    }
}
