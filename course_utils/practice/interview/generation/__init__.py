"""The topic generate_loop: a loop comes in, it runs on models that know every text, a Problem goes out."""
