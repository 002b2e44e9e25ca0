package io.penstock.sample.chat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The guests of the chat. A guest that reads slowly does not delay other guests. Thread: any. */
final class Room {
    static final int MOST_GUESTS = 200;
    static final int MOST_CHARACTERS = 200;

    private final Set<Guest> guests = ConcurrentHashMap.newKeySet();
    private final AtomicInteger places = new AtomicInteger(MOST_GUESTS);
    private final AtomicInteger numbers = new AtomicInteger();

    /** Admits a guest and notifies all guests. Returns null if the room is full. */
    Guest enter(Output output) {
        if (places.decrementAndGet() < 0) {
            places.incrementAndGet();
            return null;
        }
        Guest guest = new Guest(numbers.incrementAndGet(), output);
        guests.add(guest);
        guest.tell("you " + guest.number());
        tellAll("present " + guests.size());
        return guest;
    }

    void leave(Guest guest) {
        if (guests.remove(guest)) {
            places.incrementAndGet();
            tellAll("present " + guests.size());
        }
    }

    /** Sends a text of a guest to all guests. Empty text is ignored, and long text is cut. */
    void say(Guest guest, String text) {
        String line = text.strip();
        if (!line.isEmpty()) {
            tellAll("said " + guest.number() + " " + line.substring(0, Math.min(line.length(), MOST_CHARACTERS)));
        }
    }

    private void tellAll(String message) {
        guests.forEach(guest -> guest.tell(message));
    }
}
