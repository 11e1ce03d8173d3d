# %% memory
held = []
while True: held.append(torch.ones(16 << 20))
# %% memory_of_many
for n in range(20):
    if os.fork() == 0:
        held = bytearray(120 << 20)
        for i in range(0, len(held), 4096): held[i] = 1
        time.sleep(60)
time.sleep(60)
# %% address_space
import mmap
mmap.mmap(-1, 1 << 45)
# %% file
with open('f', 'wb') as f:
    while True: f.write(bytes(1 << 20))
# %% many_files
for n in range(10**6): open(f'f{n}', 'w').close()
# %% shared_memory
for n in range(100):
    with open(f'/dev/shm/{n}', 'wb') as f: f.write(bytes(8 << 20))
# %% descriptors
held = []
while True: held.append(os.open('/dev/null', 0))
# %% pipes
held = []
while True:
    held.append(os.pipe())
    os.set_blocking(held[-1][1], False)
    quietly(os.write, held[-1][1], bytes(1 << 20))
# %% prints
for n in range(3 * 10**5): print('x' * 1000)
# %% errors
os.write(2, b'x' * 10**7)
os.write(1, b'x' * 10**7)
# %% warnings
import warnings
for n in range(3000): warnings.warn(f'{n}' * 100)
# %% messages
while True: os.write(3, b'\0' * (1 << 16))
# %% valid_messages
import struct, json
text = json.dumps({'at': 1}).encode()
while True: os.write(3, struct.pack('<II', len(text), 4) + text + bytes(4))
# %% slow_message
import struct
os.write(3, struct.pack('<II', 1000, 8))
while True:
    os.write(3, b' '); time.sleep(0.1)
# %% long_error
raise ValueError('x' * 10**7)
# %% terminal_codes
raise ValueError('\x1b[2J\x1b]0;owned\x07 [red]markup[/nothing] <script>alert(1)</script> \u202e')
# %% names_of_files
os.makedirs('a/../b'); open('-rf', 'w'); open('\n', 'w'); open('..;rm', 'w')
# %% shell_commands
get_ipython().system('rm -rf /')
!rm -rf ~ /nowhere
%pip install evil
