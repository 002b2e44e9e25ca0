package io.penstock.sample.chat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The guests of the chat. A guest that reads slowly does not delay other guests. Thread: any. */
final class Room {
    static final int MAX_GUESTS = 200;
    static final int MAX_CHARACTERS = 200;

    private final Map<Output, Guest> guests = new ConcurrentHashMap<>();
    private final AtomicInteger places = new AtomicInteger(MAX_GUESTS);
    private final AtomicInteger numbers = new AtomicInteger();

    /**
     * Admits a guest and notifies all guests. Returns false if the room is full. If the guest has gone already, its
     * first message fails, and the guest leaves before this method returns.
     */
    boolean enter(Output output) {
        if (places.decrementAndGet() < 0) {
            places.incrementAndGet();
            return false;
        }
        Guest guest = new Guest(numbers.incrementAndGet(), output);
        guests.put(output, guest);
        guest.tell("you " + guest.number());
        tellAll("present " + guests.size());
        return true;
    }

    /** Has no effect if the guest is not in the room. */
    void leave(Output output) {
        if (guests.remove(output) != null) {
            places.incrementAndGet();
            tellAll("present " + guests.size());
        }
    }

    /** Sends a text of a guest to all guests. Empty text is ignored, and long text is cut. */
    void say(Output output, String text) {
        Guest guest = guests.get(output);
        String line = text.strip();
        if (guest != null && !line.isEmpty()) {
            tellAll("said " + guest.number() + " " + line.substring(0, Math.min(line.length(), MAX_CHARACTERS)));
        }
    }

    private void tellAll(String message) {
        guests.values().forEach(guest -> guest.tell(message));
    }
}
