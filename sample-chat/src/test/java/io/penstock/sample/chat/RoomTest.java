package io.penstock.sample.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RoomTest {
    private final Room room = new Room();

    /**
     * The browser of a guest. A fast browser reads each message immediately. A slow browser reads a message when the test calls {@link
     * #read}.
     */
    private static final class Browser implements Output {
        private final List<String> heard = new ArrayList<>();
        private final List<Consumer<Boolean>> unread = new ArrayList<>();
        private final boolean fast;
        private int closes;

        private Browser(boolean fast) {
            this.fast = fast;
        }

        @Override
        public void send(String message, Consumer<Boolean> then) {
            heard.add(message);
            if (fast) {
                then.accept(true);
            } else {
                unread.add(then);
            }
        }

        private void read(boolean succeeds) {
            unread.remove(0).accept(succeeds);
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void allGuestsReceiveEachMessage() {
        Browser first = new Browser(true);
        Browser second = new Browser(true);
        room.enter(first);
        room.enter(second);
        room.say(second, "  Hello \n");
        room.say(first, "   ");
        room.leave(second);
        room.leave(second);
        room.say(second, "I have left");
        assertEquals(List.of("you 1", "present 1", "present 2", "said 2 Hello", "present 1"), first.heard);
        assertEquals(List.of("you 2", "present 2", "said 2 Hello"), second.heard);
    }

    @Test
    void aTextThatIsTooLongIsShortened() {
        Browser browser = new Browser(true);
        room.enter(browser);
        room.say(browser, "x".repeat(Room.MAX_CHARACTERS + 1));
        assertEquals("said 1 " + "x".repeat(Room.MAX_CHARACTERS), browser.heard.get(2));
    }

    @Test
    void aGuestReceivesOneMessageAtATimeInOrder() {
        Browser slow = new Browser(false);
        room.enter(slow);
        room.say(slow, "a");
        assertEquals(List.of("you 1"), slow.heard);
        slow.read(true);
        slow.read(true);
        slow.read(true);
        assertEquals(List.of("you 1", "present 1", "said 1 a"), slow.heard);
        room.say(slow, "b");
        assertEquals("said 1 b", slow.heard.get(3));
    }

    @Test
    void otherGuestsStillReceiveMessagesAfterTheDisconnectionOfAGuestThatDoesNotRead() {
        Browser slow = new Browser(false);
        Browser fast = new Browser(true);
        room.enter(slow);
        room.enter(fast);
        for (int i = 0; i < Guest.MAX_WAITING; i++) {
            room.say(fast, "line " + i);
        }
        assertEquals(1, slow.closes);
        assertEquals(List.of("you 1"), slow.heard);
        assertEquals("said 2 line 99", fast.heard.get(fast.heard.size() - 1));
    }

    @Test
    void aGuestIsDisconnectedIfItsConnectionFails() {
        Browser broken = new Browser(false);
        room.enter(broken);
        broken.read(false);
        room.say(broken, "a");
        assertEquals(List.of("you 1"), broken.heard);
        assertEquals(1, broken.closes);
    }

    @Test
    void aGuestCanEnterAFullRoomOnlyAfterAnotherGuestHasLeft() {
        Browser last = new Browser(true);
        assertTrue(room.enter(last));
        for (int i = 1; i < Room.MAX_GUESTS; i++) {
            assertTrue(room.enter(new Browser(true)));
        }
        assertFalse(room.enter(new Browser(true)));
        room.leave(last);
        assertTrue(room.enter(new Browser(true)));
    }

    /** The container ends the connection of such a guest while the guest enters. */
    @Test
    void aGuestWhoLeavesWhileEnteringHasNoPlace() {
        Browser other = new Browser(true);
        room.enter(other);
        for (int i = 0; i < Room.MAX_GUESTS; i++) {
            assertTrue(room.enter(new Output() {
                @Override
                public void send(String message, Consumer<Boolean> then) {
                    then.accept(false);
                }

                @Override
                public void close() {
                    room.leave(this);
                }
            }));
        }
        assertEquals("present 1", other.heard.get(other.heard.size() - 1));
    }
}
